import { expect, test } from 'vitest';
import { fieldChangesOf } from './field-changes.ts';
import { TemplateField } from './template-fields.ts';

const fieldOf = (key: string, more: object = {}) => TemplateField.parse({ key, type: 'text', ...more });

test('what was added, removed and changed is told by key; another order is no change', () => {
  const before = [fieldOf('host', { maxLength: 20 }), fieldOf('port'), fieldOf('old', { label: 'Old' })];
  const after = [fieldOf('port'), fieldOf('new'), fieldOf('host', { maxLength: 40, required: true })];
  expect(fieldChangesOf(before, after)).toEqual([
    { key: 'new', label: '', change: 'added', parts: [] },
    {
      key: 'host',
      label: '',
      change: 'changed',
      parts: [
        { part: 'required', before: false, after: true },
        { part: 'maxLength', before: 20, after: 40 },
      ],
    },
    { key: 'old', label: 'Old', change: 'removed', parts: [] },
  ]);
  expect(fieldChangesOf(before, before.toReversed())).toEqual([]);
  // Saved before parameters had help.
  const { help: _help, ...older } = fieldOf('host');
  expect(fieldChangesOf([older as TemplateField], [fieldOf('host')])).toEqual([]);
  expect(fieldChangesOf([older as TemplateField], [fieldOf('host', { help: 'The bank says it' })])[0]?.parts).toEqual([
    { part: 'help', before: null, after: 'The bank says it' },
  ]);
});
