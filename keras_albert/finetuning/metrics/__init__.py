"""The official figures of each task, by the libraries that give them."""
