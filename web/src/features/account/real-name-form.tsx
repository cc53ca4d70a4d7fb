import { realNameCalls } from '@mooring/contract/account/real-name-calls';
import { useMemo } from 'react';
import { FormView, useSubmit } from '../../kit/form/form-view.tsx';
import type { Section } from '../../kit/form/types.ts';
import { useForm } from '../../kit/form/use-form.ts';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { DocumentPicture } from './real-name-picture.tsx';

const sections: Readonly<Record<'person' | 'org', readonly Section[]>> = {
  person: [
    {
      fields: [
        { name: 'name', label: 'realName.person.name' },
        { name: 'documentKind', label: 'realName.documentKind', names: 'realName.documentKind.' },
        { name: 'number', label: 'realName.number', kind: 'text' },
        { name: 'validUntil', label: 'realName.validUntil' },
        { name: 'front', label: 'realName.front', Control: DocumentPicture },
        { name: 'back', label: 'realName.back', Control: DocumentPicture },
      ],
    },
  ],
  org: [
    {
      fields: [
        { name: 'name', label: 'realName.org.name' },
        { name: 'number', label: 'realName.org.number', kind: 'text' },
        { name: 'legalPerson', label: 'realName.legalPerson' },
        { name: 'validUntil', label: 'realName.validUntil' },
        { name: 'licence', label: 'realName.licence', Control: DocumentPicture },
      ],
    },
  ],
};

/** What is handed in for a person or an organisation. The number is sealed before it leaves. */
export function RealNameForm({
  kind,
  initial,
  onCancel,
}: {
  kind: 'person' | 'org';
  initial: Record<string, unknown>;
  onCancel?: () => void;
}) {
  const t = useT();
  const call = kind === 'org' ? realNameCalls.org : realNameCalls.person;
  const fields = useMemo(() => sections[kind].flatMap((section) => section.fields), [kind]);
  const form = useForm({ schema: call.input, initial, fields, guard: true });
  const { submit, busy, failure } = useSubmit(form, call, { done: () => toast('done', t('realName.submitted')) });
  return (
    <FormView
      form={form}
      sections={sections[kind]}
      submitLabel={t('realName.submit')}
      onSubmit={() => void submit()}
      onCancel={onCancel}
      busy={busy}
      failure={failure}
    />
  );
}
