/**
 * Whether typing asks a hook for other choices. What one that takes no text answers is all there is: asked for each text it would answer the same,
 * and nothing would narrow.
 */
export const takesText = (useChoices: (...args: never[]) => unknown): boolean => useChoices.length > 0;
