import { Span } from '@mooring/contract/stats/schemas';
import { useState } from 'react';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { Select } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';
import type { Asked } from './use-asked.ts';

type Choices = { choices: readonly { readonly value: number; readonly label: { readonly text: string } }[]; busy: boolean };
const options = ({ choices }: Choices) => choices.map((one) => ({ value: one.value, label: one.label.text }));

/** Of which organisation and product. */
export function WhereFilters({ asked: { where, set } }: { asked: Asked }) {
  const t = useT();
  const [deptText, setDeptText] = useState('');
  const [productText, setProductText] = useState('');
  const depts = useDepts(deptText, where.deptId === undefined ? [] : [where.deptId]);
  const products = useProducts(productText);
  return (
    <>
      <Select
        label={t('home.where')}
        placeholder={t('home.where.all')}
        width={180}
        clear
        value={where.deptId}
        onChange={(value) => set('dept', value)}
        options={options(depts)}
        busy={depts.busy}
        onSearch={setDeptText}
      />
      <Select
        label={t('home.product')}
        placeholder={t('home.product.all')}
        width={180}
        clear
        value={where.productId}
        onChange={(value) => set('product', value)}
        options={options(products)}
        busy={products.busy}
        onSearch={setProductText}
      />
    </>
  );
}

/** Of which organisation and product, and over which time. */
export function Filters({ asked }: { asked: Asked }) {
  const t = useT();
  const { days, set } = asked;
  return (
    <>
      <WhereFilters asked={asked} />
      <Select
        label={t('home.days')}
        width={140}
        value={days}
        onChange={(value) => set('days', value === '7' ? undefined : value)}
        options={Span.options.map((one) => ({ value: one, label: t(`home.days.${one}`) }))}
      />
    </>
  );
}
