import type { RowOf } from '@mooring/contract/kit/entity';
import { type SigningKey, signingKeyCalls } from '@mooring/contract/signing/key';
import { createContext, useContext } from 'react';
import { useProducts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { Values } from '../../kit/form/types.ts';
import { saveFile } from '../../ui/save-file.ts';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { useKeysThat } from './keys.ts';
import { policyFields } from './policy-fields.ts';

export interface OfKey {
  readonly row: RowOf<typeof SigningKey>;
  readonly onClose: () => void;
}

export const savePem = (text: string, name: string) => saveFile(new Blob([text], { type: 'application/x-pem-file' }), name);

const OfWhich = createContext<OfKey['row'] | undefined>(undefined);
/** Those that the key has stay named: among many others, or where they were deleted. */
function useProductsOfKey(text: string) {
  const t = useT();
  const found = useProducts(text);
  const row = useContext(OfWhich);
  const own = (row?.productIds ?? []).map((id) => {
    const seen = row?.products.find((one) => one.id === id);
    return { value: id, label: { text: seen ? `${seen.name} (${seen.code})` : t('signingKey.products.unknown') } };
  });
  return { ...found, choices: [...found.choices, ...own.filter(({ value }) => !found.choices.some((one) => one.value === value))] };
}

/** What was taken out is none; what isn't sent stays as it was. */
const withNone = (values: Values): Values => ({ mostUses: null, hourFrom: null, hourTo: null, ...values });

export function PolicyDialog({ row, onClose }: OfKey) {
  const t = useT();
  const { id, packageNames, profiles, productIds, mostUses, hourFrom, hourTo } = row;
  return (
    <OfWhich value={row}>
      <FormDialog
        title="signingKey.policy.edit"
        of={row.name}
        submit="signingKey.policy.edit"
        call={signingKeyCalls.policy}
        successText="keyChange.sent"
        about={<p className="m-muted">{t('signingKey.policy.about')}</p>}
        input={withNone}
        initial={{ id, packageNames, profiles, productIds, mostUses, hourFrom, hourTo }}
        fields={policyFields(useProductsOfKey)}
        onClose={onClose}
      />
    </OfWhich>
  );
}

export function ChainDialog({ row, onClose }: OfKey) {
  const t = useT();
  return (
    <FormDialog
      title="signingKey.chain.edit"
      of={row.name}
      submit="signingKey.chain.edit"
      call={signingKeyCalls.chain}
      successText="keyChange.sent"
      about={
        <>
          <p className="m-muted">{t('signingKey.chain.about')}</p>
          {row.signedApps ? <Note tone="warn">{t('signingKey.chain.cutsOff')}</Note> : null}
        </>
      }
      initial={{ id: row.id }}
      fields={[{ name: 'certificates', label: 'signingKey.chain.pem', kind: 'area', wide: true }]}
      onClose={onClose}
    />
  );
}

/** Those of its own organisation that neither follow another one nor are it; the server knows which of them are followed. */
function useOthersOfOrganisation(text: string) {
  const row = useContext(OfWhich);
  const found = useKeysThat(text, (one) => one.follows === null && one.state === 'active' && one.deptName === row?.deptName);
  return { ...found, choices: found.choices.filter(({ value }) => value !== row?.id) };
}

export function NextDialog({ row, onClose }: OfKey) {
  const t = useT();
  return (
    <OfWhich value={row}>
      <FormDialog
        title="signingKey.next"
        of={row.name}
        submit="signingKey.next"
        call={signingKeyCalls.next}
        successText="keyChange.sent"
        about={<p className="m-muted">{t('signingKey.next.about')}</p>}
        initial={{ id: row.id }}
        fields={[{ name: 'nextId', label: 'signingKey.next.key', kind: 'one', useChoices: useOthersOfOrganisation }]}
        onClose={onClose}
      />
    </OfWhich>
  );
}

export function RequestDialog({ row, onClose }: OfKey) {
  const t = useT();
  return (
    <FormDialog
      title="signingKey.request"
      of={row.name}
      submit="signingKey.request.take"
      call={signingKeyCalls.request}
      about={<p className="m-muted">{t('signingKey.request.about')}</p>}
      initial={{ id: row.id, subject: row.subject }}
      fields={[{ name: 'subject', label: 'signingKey.subject', help: 'signingKey.subject.help' }]}
      onClose={onClose}
      onDone={({ pem }) => savePem(pem, `${row.name}.csr`)}
    />
  );
}
