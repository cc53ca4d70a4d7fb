/** A department's path and those of all above it: `1.2.31.` → `1.`, `1.2.`, `1.2.31.`. */
export const pathsAbove = (path: string): string[] => {
  const parts = path.split('.').filter(Boolean);
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('.')}.`);
};
