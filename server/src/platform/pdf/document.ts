export type Side = 'start' | 'end';
export interface Column {
  readonly title: string;
  /** Its part of the page's width. */
  readonly share: number;
  readonly side?: Side;
}

/** What is stuck on a thing: a code that machines read, and lines for people. */
export interface Label {
  readonly code: string;
  readonly lines: readonly string[];
}

/** Facts are names and what they are, in two columns; what is empty is left out. */
export type PdfPart =
  | { readonly kind: 'title'; readonly text: string; readonly note?: string }
  | { readonly kind: 'heading' | 'words'; readonly text: string }
  /** JPEG or PNG, two beside each other. */
  | { readonly kind: 'pictures'; readonly pictures: readonly Uint8Array[] }
  | { readonly kind: 'labels'; readonly labels: readonly Label[] }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly string[])[];
      readonly total?: readonly [name: string, value: string];
    };

/** A document of words, in any language that the console speaks. Plain data: it is drawn in a thread. */
export interface PdfDocument {
  readonly title: string;
  readonly lang: string;
  readonly now: Date;
  readonly parts: readonly PdfPart[];
  /** At the foot of each page, with PAGE and PAGES where their numbers stand. */
  readonly foot: string;
}
export const PAGE = '{page}';
export const PAGES = '{pages}';
export const footOf = (foot: string, page: number, pages: number): string =>
  foot.replaceAll(PAGE, String(page)).replaceAll(PAGES, String(pages));
