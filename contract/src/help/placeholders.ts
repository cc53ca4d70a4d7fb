const placeholder = /\{\{([^{}]{1,80})\}\}/g;

/** A text with the console's own words where it names them: `{{menu.notice}}` is what the menu calls it. What names nothing stays as it is written. */
export const withWords = (text: string, word: (key: string) => string | undefined): string =>
  text.replace(placeholder, (all, key: string) => word(key.trim()) ?? all);

/** What a text names. */
export const keysIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, key = '']) => key.trim());
