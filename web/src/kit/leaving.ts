/** Forms with unsaved changes hold the way out; the shell asks before it is taken. */
const holds = new Set<() => boolean>();

export function holdLeaving(isHeld: () => boolean): () => void {
  holds.add(isHeld);
  return () => holds.delete(isHeld);
}
export const isLeavingHeld = (): boolean => [...holds].some((isHeld) => isHeld());

addEventListener('beforeunload', (event) => {
  if (isLeavingHeld()) event.preventDefault();
});
