import { useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { useHanded } from '../../kit/upload/handed.ts';
import { RadioGroup } from '../../ui/controls.tsx';
import { Unlinked } from '../../ui/field.tsx';
import { useT } from '../../ui/words.ts';

const packages = ['4', '3'] as const;
const all = [...packages, '8'] as const;
type Kind = (typeof all)[number];

/** A package or archive; any document too, where the signature stands beside it. */
export function FileToSign({ documents, ...part }: { documents: boolean } & ControlPart<number | undefined>) {
  const t = useT();
  const given = useHanded(packages);
  const [chosen, setKind] = useState<Kind>(packages.find((one) => one === given?.fileType) ?? '4');
  const kinds = documents ? all : packages;
  const kind = kinds.find((one) => one === chosen) ?? '4';
  return (
    <div className="m-stack-tight">
      <Unlinked>
        <RadioGroup<Kind>
          value={kind}
          label={t('signingJob.file')}
          onChange={(next) => {
            setKind(next);
            part.onChange(undefined);
          }}
          options={kinds.map((value) => ({ value, label: t(`signingJob.kind.${value}`) }))}
        />
      </Unlinked>
      <FileField key={kind} fileType={kind} given={kind === given?.fileType ? given : undefined} {...part} />
    </div>
  );
}
