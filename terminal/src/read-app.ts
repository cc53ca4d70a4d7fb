import type { ReadApp } from './apps.ts';
export const readApp = async (_path: string): Promise<ReadApp | undefined> => undefined;
