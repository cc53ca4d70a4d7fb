import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { SourceFile } from './source-files.ts';

/** What a file imports: `to` is a path of this project, or the name of a package. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isOurs: boolean;
  /** Loaded as soon as its importer is: neither a type alone nor asked for when it is needed. */
  readonly isEager: boolean;
}

const workspace = /^@mooring\/([a-z]+)(?:\/(.+))?$/;
const sourceFolder: Record<string, string> = {
  contract: 'contract/src',
  apk: 'apk/src',
  server: 'server/src',
  terminal: 'terminal/src',
  database: 'database',
};

function resolve(from: string, specifier: string): Omit<Import, 'isEager'> {
  if (specifier.startsWith('.')) return { from, to: posix.normalize(posix.join(posix.dirname(from), specifier)), isOurs: true };
  const [, name, rest] = workspace.exec(specifier) ?? [];
  if (name) return { from, to: `${sourceFolder[name] ?? name}/${rest ?? 'index'}.ts`, isOurs: true };
  const parts = specifier.split('/');
  return { from, to: specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? ''), isOurs: false };
}

/** Also `import('./x.ts').Type` and late imports, which the parser's record of modules leaves out or gives without value. */
const inline = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g;

export function importsOf({ path, text }: SourceFile): Import[] {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const specifiers = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) => one.entries.map((entry) => entry.moduleRequest?.value)),
    ...[...text.matchAll(inline)].map((match) => match[2]),
  ];
  const eager = new Set(
    module.staticImports.filter((one) => !one.entries.every((entry) => entry.isType)).map((one) => one.moduleRequest.value),
  );
  return [...new Set(specifiers)]
    .filter((one): one is string => one !== undefined)
    .map((one) => ({ ...resolve(path, one), isEager: eager.has(one) }));
}

/** A file that only passes on what other files export. */
export function isBarrel({ path, text }: SourceFile): boolean {
  const { body } = parseSync(path, text).program;
  return (
    body.length > 0 &&
    body.every(
      (statement) => statement.type === 'ExportAllDeclaration' || (statement.type === 'ExportNamedDeclaration' && statement.source),
    )
  );
}
