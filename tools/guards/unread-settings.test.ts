import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { unreadSettings } from './unread-settings.ts';

test('every field that the settings offer is read by something', () => {
  expect(unreadSettings(sourceFiles())).toEqual([]);
});

test('a field that is only offered, saved and handed out is seen', () => {
  const files = [
    {
      path: 'web/src/features/settings/tabs.tsx',
      text: "<SettingForm\n    sections={[{ name: 'port' }, { name: 'key' }]}\n  />\n{ name: 'else' }",
    },
    { path: 'server/src/modules/settings/module.ts', text: 'key: project.key' },
    { path: 'server/src/platform/mail.ts', text: 'connect(mail.port)' },
  ];
  expect(unreadSettings(files)).toEqual(['key']);
});
