import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

const dist = join(import.meta.dirname, 'dist');

/** Every file that the browser needs for these entries, each once. */
export function filesOf(manifest: Manifest, entries: readonly string[]): string[] {
  const files = new Set<string>(['index.html']);
  const seen = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (seen.has(name) || !chunk) return;
    seen.add(name);
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const entry of entries) visit(entry);
  // One style sheet for all: it is nobody's import.
  for (const { file } of Object.values(manifest)) if (file.endsWith('.css')) files.add(file);
  return [...files];
}

export const readManifest = (): Manifest => JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest;
/** As it is sent: the build packs what is worth it, and the rest goes as it is. */
export function sentSize(file: string): number {
  const packed = join(dist, `${file}.br`);
  return statSync(existsSync(packed) ? packed : join(dist, file)).size;
}
