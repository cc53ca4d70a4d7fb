import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { componentStyles } from './component-styles.tsx';

/** `Button` and `theme` of `import { Button as AntButton, type ButtonProps, theme } from 'antd'`. */
const takenFromAntd = (text: string): string[] =>
  [...text.matchAll(/import \{([^}]*)\} from 'antd'/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().split(' as ')[0] ?? '')
      .filter((name) => /^[A-Z]/.test(name) && name !== 'ConfigProvider'),
  );

const sources = readdirSync(join(import.meta.dirname, '../..'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.startsWith('component-styles'))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
const drawn = takenFromAntd(readFileSync(join(import.meta.dirname, 'component-styles.tsx'), 'utf8'));

test('what the console takes from antd is what brings its rules', () => {
  expect([...new Set(sources.flatMap(takenFromAntd))].toSorted()).toEqual(drawn.toSorted());
  // Nor by another way, past that list.
  expect(sources.flatMap((text) => text.match(/import (?!type).* from 'antd\/es\/.*'/g) ?? [])).toEqual([]);
});

test('each of them has rules, all in their layer and none for one version alone', () => {
  const css = componentStyles();
  const named: Readonly<Record<string, string>> = { Button: 'btn', DatePicker: 'picker', InputNumber: 'input-number' };
  for (const name of drawn) expect(css).toContain(`.ant-${named[name] ?? name.toLowerCase()}`);
  expect(css).not.toContain('.css-');
  expect(css.startsWith('@layer antd{')).toBe(true);
});
