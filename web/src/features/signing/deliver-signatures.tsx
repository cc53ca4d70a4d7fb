import { signingJobCalls } from '@mooring/contract/signing/job';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-text.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Bone } from '../../ui/states.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { useT } from '../../ui/words.ts';

type Row = RowOf<typeof signingJobCalls.page>;
export const delivering = createStore<Row | undefined>(undefined);

/** What the external key has to sign, to be copied. */
function Digests({ row: { id, fileName } }: { row: Row }) {
  const t = useT();
  const { data } = useCall(signingJobCalls.digests, { id });
  if (!data) return <Bone />;
  return (
    <div className="m-stack-tight">
      <p>{t('signingJob.signer', { subject: data.subject, algorithm: t(`signingKey.algorithm.${data.algorithm}`) })}</p>
      {data.digests.map(({ digest, value }, at) => (
        <div key={value}>
          <p className="m-muted">{t('signingJob.digest', { n: at + 1, digest: digest.toUpperCase().replace('SHA', 'SHA-') })}</p>
          <Command text={value} />
        </div>
      ))}
      <div>
        <Button
          icon="download"
          onClick={() =>
            saveFile(
              new Blob(
                data.digests.map(({ value }) => `${value}\n`),
                { type: 'text/plain' },
              ),
              `${fileName}.checksums.txt`,
            )
          }
        >
          {t('signingJob.digests.download')}
        </Button>
      </div>
    </div>
  );
}

/** Signatures that somebody made elsewhere are brought back. */
export function DeliverSignatures() {
  const t = useT();
  const row = useStore(delivering);
  if (!row) return null;
  return (
    <FormDialog
      title="signingJob.deliver"
      of={row.fileName}
      submit="signingJob.deliver"
      call={signingJobCalls.deliver}
      successText="signingJob.delivered"
      about={
        <div className="m-stack">
          <p>{t('signingJob.deliver.about')}</p>
          <Digests row={row} />
          {row.profile === 'apk' ? <p className="m-muted">{t('signingJob.deliver.next')}</p> : null}
        </div>
      }
      initial={{ id: row.id }}
      fields={[{ name: 'signatures', label: 'signingJob.signatures', help: 'signingJob.signatures.help', kind: 'area', wide: true }]}
      onClose={() => delivering.set(() => undefined)}
    />
  );
}
