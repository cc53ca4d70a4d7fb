import { appVersionCalls } from '@mooring/contract/app/calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { useHanded } from '../../kit/upload/handed.ts';
import { goOn, useView } from '../../kit/view.ts';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { versionPath } from './paths.ts';
import { nameOf } from './version-name.ts';

const APK = ['4'];
const Package = (part: ControlPart<number | undefined>) => <FileField fileType="4" given={useHanded(APK)} {...part} />;

/** A package, of which everything is read; the next step is what the catalogue says of it. */
export function Upload({ appId = null, name, onClose }: { appId?: number | null; name?: string; onClose: () => void }) {
  const t = useT();
  const view = useView();
  return (
    <FormDialog
      title={appId === null ? 'appVersion.uploadNew' : 'appVersion.uploadTitle'}
      {...(name === undefined ? {} : { of: name })}
      submit={appId === null ? 'appVersion.uploadNew' : 'appVersion.upload'}
      call={appVersionCalls.add}
      about={<p className="m-muted">{t('appVersion.upload.about')}</p>}
      initial={{ appId }}
      fields={[
        { name: 'fileId', label: 'appVersion.upload.file', Control: Package, wide: true },
        {
          name: 'channel',
          label: 'appVersion.channel',
          kind: 'radio',
          names: 'appVersion.channel.',
          help: 'appVersion.upload.channel.help',
        },
      ]}
      onDone={(made) => {
        toast('done', t('appVersion.uploaded', { name: nameOf(made) }));
        goOn(view, versionPath(made));
      }}
      onClose={onClose}
    />
  );
}
