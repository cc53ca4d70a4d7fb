import type { OutputOf } from '@mooring/contract/kit/call';
import { keyInfoCalls, MOST_KEY_FILE, signingKeyCalls } from '@mooring/contract/signing/key';
import { createContext, use, useMemo, useRef, useState } from 'react';
import { useProducts } from '../../kit/choices.ts';
import { api, messageOf } from '../../kit/client.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { base64Of } from '../../kit/seal.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordInput, RadioGroup } from '../../ui/controls.tsx';
import { useOwnError } from '../../ui/field.tsx';
import { UploadBox } from '../../ui/upload-box.tsx';
import { useT } from '../../ui/words.ts';
import { useSoftwareStores } from './keys.ts';
import { policyFields } from './policy-fields.ts';

type Found = OutputOf<typeof keyInfoCalls.info>;
const Reading = createContext<{ found: Found; setFound: (found: Found) => void }>({ found: [], setFound: () => {} });

/** The file stays in the form: it isn't kept anywhere before it is imported. */
function KeyFile({ value, onChange }: ControlPart<string | undefined>) {
  const t = useT();
  const { setFound } = use(Reading);
  const [file, setFile] = useState<File>();
  const isLarge = file !== undefined && file.size > MOST_KEY_FILE;
  useOwnError(isLarge ? t('signingKey.file.large') : undefined);
  const take = async ([chosen]: File[]) => {
    setFile(chosen);
    setFound([]);
    onChange(chosen && chosen.size <= MOST_KEY_FILE ? base64Of(new Uint8Array(await chosen.arrayBuffer())) : undefined);
  };
  const rows =
    file && value
      ? [{ id: '1', name: file.name, size: file.size, state: 'success' as const, share: 1, done: t('signingKey.file.chosen') }]
      : [];
  return (
    <UploadBox
      rows={rows}
      accept=".p12,.pfx,.jks,.keystore,.pem,.key"
      onFiles={(files) => void take(files)}
      onCancel={() => void take([])}
      onRetry={() => {}}
    />
  );
}

/** Whose keys may have passwords of their own: the first four bytes of such a file. */
const isJks = ({ file }: { readonly file?: unknown }) => typeof file === 'string' && file.startsWith('/u3+7');

/** Its password, and what is in it by that: a wrong one is said here. */
function FilePassword(part: ControlPart<string | undefined>) {
  const t = useT();
  const { setFound } = use(Reading);
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  useOwnError(wrong);
  const file = part.values.file;
  const latest = useRef(file);
  latest.current = file;
  const read = async () => {
    if (typeof file !== 'string') return;
    setBusy(true);
    try {
      const { keyPassword } = part.values;
      const own = typeof keyPassword === 'string' && keyPassword !== '' ? { keyPassword } : {};
      const entries = await api(keyInfoCalls.info, { file, ...(part.value ? { password: part.value } : {}), ...own }, { hidden: true });
      // Another file was chosen meanwhile: these are none of its keys.
      if (latest.current !== file) return;
      setWrong(undefined);
      setFound(entries);
      const usable = entries.filter((one) => one.usable);
      if (usable.length === 1) part.set('alias', usable[0]?.alias);
    } catch (error) {
      if (latest.current !== file) return;
      setFound([]);
      setWrong(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="m-row">
      <div className="m-grow">
        <PasswordInput
          value={part.value ?? ''}
          onChange={(value) => {
            setWrong(undefined);
            part.onChange(value === '' ? undefined : value);
          }}
          onBlur={part.onBlur}
          autoComplete="off"
        />
      </div>
      <div>
        <Button busy={busy} disabled={typeof file !== 'string'} onClick={() => void read()}>
          {t('signingKey.read')}
        </Button>
      </div>
    </div>
  );
}

function Alias({ value, onChange }: ControlPart<string | undefined>) {
  const t = useT();
  const { found } = use(Reading);
  return (
    <RadioGroup
      value={value ?? ''}
      onChange={onChange}
      options={found.map((one) => ({
        value: one.alias,
        label: t('signingKey.found', { alias: one.alias, algorithm: one.algorithm, certificates: one.certificates }),
        disabled: !one.usable,
      }))}
    />
  );
}

export function ImportKey({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [found, setFound] = useState<Found>([]);
  const reading = useMemo(() => ({ found, setFound }), [found]);
  const chosen = (alias: unknown) => found.find((one) => one.alias === alias);
  return (
    <Reading value={reading}>
      <FormDialog
        title="signingKey.import"
        submit="signingKey.import"
        call={signingKeyCalls.import}
        successText="signingKey.sent"
        about={<p className="m-muted">{t('signingKey.import.about')}</p>}
        fields={[
          { name: 'storeId', label: 'signingKey.storeId', kind: 'one', useChoices: useSoftwareStores },
          { name: 'file', label: 'signingKey.file', Control: KeyFile, wide: true },
          { name: 'keyPassword', label: 'signingKey.keyPassword', help: 'signingKey.keyPassword.help', wide: true, when: isJks },
          { name: 'password', label: 'signingKey.password', Control: FilePassword, wide: true },
          { name: 'alias', label: 'signingKey.alias', Control: Alias, wide: true, when: () => found.length > 0 },
          { name: 'name', label: 'signingKey.name' },
          {
            name: 'subject',
            label: 'signingKey.subject',
            help: 'signingKey.subject.help',
            when: ({ alias }) => chosen(alias)?.certificates === 0,
          },
          { name: 'exportable', label: 'signingKey.exportable', help: 'signingKey.exportable.help' },
          ...policyFields(useProducts),
        ]}
        onClose={onClose}
      />
    </Reading>
  );
}
