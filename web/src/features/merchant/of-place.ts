import type { ComponentType } from 'react';

/** What another domain shows of a merchant or a shop. */
export type OfPlace = ComponentType<{ place: { readonly level: 'merchant' | 'shop'; readonly id: number } }>;
