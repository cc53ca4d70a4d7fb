import { SubForm } from '../../kit/form/sub-form.tsx';
import type { Values } from '../../kit/form/types.ts';
import type { Form } from '../../kit/form/use-form.ts';
import type { ContentSpec } from './release-kind.ts';

/** What is to be set on terminals. */
export const ContentFields = ({ content, form, onChange }: { content: ContentSpec; form: Form; onChange: (value: Values) => void }) => (
  <SubForm
    schema={content.schema}
    fields={content.fields}
    value={form.values.content as Values | undefined}
    onChange={onChange}
    of={{ form, name: 'content' }}
  />
);
