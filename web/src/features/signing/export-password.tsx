import type { RowOf } from '@mooring/contract/kit/entity';
import { type SigningKey, signingKeyCalls } from '@mooring/contract/signing/key';
import { useState } from 'react';
import { useAct } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';

/** The approver's half of an export: read once, and gone with the dialog. */
export function ExportPassword({ row }: { row: RowOf<typeof SigningKey> }) {
  const t = useT();
  const [password, setPassword] = useState<string>();
  const act = useAct(signingKeyCalls.exportPassword, { done: (output) => setPassword(output.password) });
  return (
    <>
      <Button icon="key" busy={act.busy} onClick={() => act.run({ id: row.id })}>
        {t('signingKey.export.password')}
      </Button>
      {password === undefined ? null : (
        <Dialog
          open
          title={t('kit.act.named', { act: t('signingKey.export.password'), name: row.name })}
          onClose={() => setPassword(undefined)}
          footer={<Button onClick={() => setPassword(undefined)}>{t('kit.close')}</Button>}
        >
          <div className="m-stack">
            <p className="m-muted">{t('signingKey.export.passwordAbout')}</p>
            <CopyText text={password} />
          </div>
        </Dialog>
      )}
    </>
  );
}
