"""Double Lucky 7: bid how many tricks you will take, and take exactly that many."""
