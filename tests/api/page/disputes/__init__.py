"""Disputes on the page: what is asked, and how points are explained on the photo."""
