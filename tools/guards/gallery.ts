/** Parts that are shown by another one, which is in the gallery; and what draws nothing. */
const inside = new Set(['chart-canvas', 'date-range', 'icon', 'row-parts', 'table', 'table-cards', 'table-head', 'table-row', 'theme']);

/** Parts of `web/src/ui` that no file of the gallery imports. */
export const unshown = (parts: readonly string[], gallery: readonly string[]): string[] =>
  parts.filter((part) => !inside.has(part) && !gallery.some((text) => text.includes(`/ui/${part}.tsx'`)));
