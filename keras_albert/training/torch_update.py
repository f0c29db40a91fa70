"""The update of all variables at once under PyTorch, where one by one each operation costs a call and a launch."""

from typing import Any

from keras import ops


def update_together(optimizer: Any, gradients: list[Any], variables: list[Any], learning_rate: Any) -> None:
    """Do in place what `GoogleOptimizer.update_step` does for each variable.

    Args:
        optimizer: a `GoogleOptimizer`.
        gradients: tensors, float32, each of the shape of its variable.
        variables: Keras variables, float32.
        learning_rate: a scalar.
    """
    import torch

    with torch.no_grad():
        indices = [optimizer._get_variable_index(variable) for variable in variables]
        first = [optimizer.first_moments[index].value for index in indices]
        second = [optimizer.second_moments[index].value for index in indices]
        weights = [variable.value for variable in variables]
        torch._foreach_mul_(first, optimizer.beta_1)
        torch._foreach_add_(first, gradients, alpha=1.0 - optimizer.beta_1)
        torch._foreach_mul_(second, optimizer.beta_2)
        torch._foreach_addcmul_(second, gradients, gradients, value=1.0 - optimizer.beta_2)
        roots = torch._foreach_sqrt(second)
        torch._foreach_add_(roots, optimizer.epsilon)
        updates = torch._foreach_div(first, roots)
        correction = optimizer.correction()
        if correction is not None:
            torch._foreach_mul_(updates, correction)
        decayed = [place for place, index in enumerate(indices) if optimizer.is_decayed[index]]
        if decayed and optimizer.weight_decay:
            pairs = [updates[place] for place in decayed], [weights[place] for place in decayed]
            torch._foreach_add_(*pairs, alpha=optimizer.weight_decay)
        for update, weight, index in zip(updates, weights, indices, strict=True):
            ratio = optimizer.ratio(update, weight, index)
            if ratio is not None:
                update.mul_(ratio)
        torch._foreach_mul_(updates, ops.cast(learning_rate, "float32"))
        torch._foreach_sub_(weights, updates)
