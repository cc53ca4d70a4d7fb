import { createContext, useContext } from 'react';
import { SubForm } from '../../kit/form/sub-form.tsx';
import type { Values } from '../../kit/form/types.ts';
import type { Form } from '../../kit/form/use-form.ts';
import type { ContentSpec } from './release-kind.ts';

const Product = createContext<number | null>(null);
/** The product that the release is for; null for those of any. */
export const useReleaseProduct = (): number | null => useContext(Product);

/** What is to be set on terminals. */
export const ContentFields = ({ content, form, onChange }: { content: ContentSpec; form: Form; onChange: (value: Values) => void }) => (
  <Product value={typeof form.values.productId === 'number' ? form.values.productId : null}>
    <SubForm
      schema={content.schema}
      fields={content.fields}
      value={form.values.content as Values | undefined}
      onChange={onChange}
      of={{ form, name: 'content' }}
    />
  </Product>
);
