import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Life } from '@mooring/contract/kit/life';

const folder = join(import.meta.dirname, '..', '..', 'contract', 'src');

export interface DeclaredLife {
  /** Of the contract: `device`, or `engines/rollout`. */
  readonly domain: string;
  readonly life: Life;
}

const isLife = (value: unknown): value is Life => typeof value === 'object' && value !== null && 'byCode' in value && 'events' in value;

/** Every lifecycle that a `lives.ts` of the contract declares. */
export async function allLives(): Promise<DeclaredLife[]> {
  const found: DeclaredLife[] = [];
  for (const file of globSync('**/lives.ts', { cwd: folder }).sort()) {
    const exported = (await import(join(folder, file))) as Record<string, unknown>;
    const domain = file.replaceAll('\\', '/').replace(/\/lives\.ts$/, '');
    found.push(
      ...Object.values(exported)
        .filter(isLife)
        .map((life) => ({ domain, life })),
    );
  }
  return found;
}
