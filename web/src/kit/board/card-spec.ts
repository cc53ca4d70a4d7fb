import type { TextKey } from '../../ui/words.ts';

export interface CardSpec {
  readonly key: string;
  readonly title: TextKey;
  /** Of twelve columns on a wide screen. */
  readonly span: 4 | 6 | 8 | 12;
}

export const spanOf = (card: CardSpec) => `m-card-${card.span}`;
