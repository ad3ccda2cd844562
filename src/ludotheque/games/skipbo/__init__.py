"""Skip-Bo De Luxe: slip the cards of your stock onto four piles that everybody builds from 1 to 12."""
