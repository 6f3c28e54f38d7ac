"""Questions asked of tables of sufficient statistics."""
