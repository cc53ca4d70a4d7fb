import { kindOf, PICTURE } from '@mooring/contract/file/kinds';
import { useRef } from 'react';
import { useUploads } from '../../kit/upload/use-uploads.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';

/** A picture is uploaded, drawn anew by the server, and named in the text where the cursor stands. */
export function AddPicture({ disabled, onPicture }: { disabled: boolean; onPicture: (markdown: string) => void }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const told = useRef(new Set<number>());
  const uploads = useUploads(PICTURE, (stored) => {
    for (const { id } of stored) {
      if (told.current.has(id)) continue;
      told.current.add(id);
      onPicture(`\n\n![${t('helpArticle.picture.alt')}](file:${id})\n\n`);
    }
  });
  const failed = uploads.rows.find(({ state }) => state === 'fail');
  return (
    <>
      <Button
        small
        icon="advert"
        disabled={disabled}
        busy={uploads.rows.some(({ state }) => state !== 'success' && state !== 'fail')}
        onClick={() => input.current?.click()}
      >
        {t('helpArticle.picture')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={(kindOf(PICTURE)?.extensions ?? []).map((one) => `.${one}`).join(',')}
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      {failed ? (
        <span className="m-field-error" role="alert">
          {t('kit.upload.left')}
        </span>
      ) : null}
    </>
  );
}
