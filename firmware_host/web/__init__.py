"""What browsers see of the table."""
