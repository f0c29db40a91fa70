"""Readers of labelled data in the official layouts, and in tables of one's own."""
