"""Tile art: pictures of every layout, drawn by the project or read from a folder of scans."""
