/** Texts of one domain, English and Chinese side by side. ICU message syntax. */
export type TextTable = Readonly<Record<string, readonly [en: string, zh: string]>>;
export const texts = <const T extends TextTable>(table: T): T => table;
