"""The site: pages that are made of the package itself, pictures, and checks of what was built."""
