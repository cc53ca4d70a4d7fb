import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import { useProducts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useCall } from '../../kit/queries.ts';
import { useT } from '../../ui/words.ts';
import { useStores } from './keys.ts';
import { policyFields } from './policy-fields.ts';

export function GenerateKey({ onClose }: { onClose: () => void }) {
  const t = useT();
  const stores = useCall(keyStoreCalls.list, {}, { keep: true });
  const isToken = (id: unknown) => stores.data?.find((one) => one.id === id)?.kind === 'token';
  return (
    <FormDialog
      title="signingKey.generate"
      submit="signingKey.generate"
      call={signingKeyCalls.generate}
      successText="signingKey.sent"
      about={<p className="m-muted">{t('signingKey.generate.about')}</p>}
      initial={{ algorithm: 'rsa4096', years: 30 }}
      fields={[
        { name: 'storeId', label: 'signingKey.storeId', kind: 'one', useChoices: useStores },
        { name: 'name', label: 'signingKey.name' },
        { name: 'algorithm', label: 'signingKey.algorithm', kind: 'one', names: 'signingKey.algorithm.' },
        { name: 'subject', label: 'signingKey.subject', help: 'signingKey.subject.help' },
        { name: 'years', label: 'signingKey.years', unit: 'signingKey.years.unit' },
        {
          name: 'exportable',
          label: 'signingKey.exportable',
          help: 'signingKey.exportable.help',
          when: ({ storeId }) => !isToken(storeId),
        },
        ...policyFields(useProducts),
      ]}
      onClose={onClose}
    />
  );
}
