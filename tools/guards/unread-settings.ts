import type { SourceFile } from './source-files.ts';

/** The tabs of the settings offer and save; handing a field out again in `module.ts` is no reading of it. */
const isTab = (path: string) => path.startsWith('web/src/features/settings/');
const hands = 'server/src/modules/settings/module.ts';

/** Fields that a tab of the settings offers and that nothing reads: whatever is entered there changes nothing. */
export function unreadSettings(files: readonly SourceFile[]): string[] {
  const code = files.filter(({ path }) => /^(web|server)\/src\/.*\.tsx?$/.test(path) && !path.endsWith('.test.ts'));
  const readers = code.filter(({ path }) => !isTab(path) && path !== hands).map(({ text }) => text);
  const forms = code.filter(({ path }) => isTab(path)).flatMap(({ text }) => text.split('<SettingForm').slice(1));
  const offered = forms.flatMap((text) => [...(text.split('\n  />')[0] ?? '').matchAll(/\bname: '(\w+)'/g)].map(([, name]) => name ?? ''));
  return [...new Set(offered)].filter((name) => !readers.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
}
