"""What is said of a run: the finding model, the rules that give findings, and their rendering."""
