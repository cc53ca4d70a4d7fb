import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface SourceFile {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

export const root = join(import.meta.dirname, '..', '..');
const skipped = new Set(['node_modules', 'dist', '.git', '.cache', 'data', 'release']);
const isText = /\.(ts|tsx|mjs|css|html|sql|md|json|yaml|yml|sh|service|toml)$|(^|\/)(Dockerfile|run|\.npmrc|\.gitignore)$/;

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const place = join(folder, entry.name);
    return entry.isDirectory() ? below(place) : [relative(root, place).replaceAll('\\', '/')];
  });
}

/** The project's own files; by the folder and not by git, which a release does not have. */
export const filePaths = (): string[] => below(root);

/** Those of them that are text. */
export const sourceFiles = (): SourceFile[] =>
  filePaths()
    .filter((path) => isText.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** An example of the documents is somebody else's program. */
export const isCode = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path) && !path.startsWith('docs/');
