import { type DragEvent, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { useFieldLink } from './field.tsx';
import { Progress } from './figures.tsx';
import { Icon } from './icon.tsx';
import { useFormat, useT } from './words.ts';

/** Upload states of specification section 4. */
export type UploadState = 'wait' | 'uploading' | 'success' | 'fail' | 'delete';
export interface UploadRow {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly state: UploadState;
  readonly share: number;
  readonly message?: string | undefined;
  /** Of one that is there, where that isn’t on the server. */
  readonly done?: string | undefined;
  /** Another try would find the same: the file itself is none that is taken here. */
  readonly isUnfit?: boolean | undefined;
  /** Bytes a second and seconds left, while uploading. */
  readonly speed?: number | undefined;
  readonly left?: number | undefined;
}

export interface UploadBoxProps {
  rows: readonly UploadRow[];
  accept?: string;
  multiple?: boolean;
  hint?: string;
  disabled?: boolean;
  /** How many files may come beside those that are there. */
  room?: number;
  onFiles: (files: File[]) => void;
  onCancel: (id: string) => void;
  onRetry: (id: string) => void;
}

/** Files that are left out, named at most. */
const NAMED = 3;
const tones = { wait: 'primary', uploading: 'primary', success: 'good', fail: 'bad', delete: 'ended' } as const;

export function UploadBox({ rows, accept, multiple, hint, disabled, room, onFiles, onCancel, onRetry }: UploadBoxProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [left, setLeft] = useState<readonly string[]>([]);
  const { describedBy, id, invalid } = useFieldLink();
  const most = multiple ? (room ?? Number.POSITIVE_INFINITY) - rows.filter(({ state }) => state !== 'success').length : 1;
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    setLeft(files.slice(Math.max(0, most)).map(({ name }) => name));
    if (files.length > 0 && most > 0) onFiles(files.slice(0, most));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) take(event.dataTransfer.files);
  };
  return (
    <div className="m-stack">
      {multiple || rows.length === 0 ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the pointer; the button does the same
        <div
          className={`m-drop${over ? ' m-drop-over' : ''}`}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Icon name="cloud" className="m-drop-icon" />
          <div>
            <Button
              icon="upload"
              disabled={disabled ?? false}
              wrong={invalid ? describedBy : undefined}
              onClick={() => input.current?.click()}
            >
              {t('kit.upload.choose')}
            </Button>
            <p className="m-muted m-small">{hint ?? t('kit.upload.drop')}</p>
          </div>
        </div>
      ) : null}
      <input
        ref={input}
        type="file"
        hidden
        id={id}
        aria-describedby={describedBy}
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      {left.length > 0 && most <= 0 ? (
        <p className="m-field-error" role="alert">
          {t('kit.upload.over', { count: left.length, names: left.slice(0, NAMED).join(', ') })}
        </p>
      ) : null}
      {rows.length > 0 ? (
        <ul className="m-uploads">
          {rows.map((row) => (
            <UploadLine key={row.id} row={row} onCancel={onCancel} onRetry={onRetry} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function UploadLine({ row, onCancel, onRetry }: { row: UploadRow; onCancel: (id: string) => void; onRetry: (id: string) => void }) {
  const t = useT();
  const format = useFormat();
  const pace = row.speed ? `${format.size(row.speed)}/s${row.left === undefined ? '' : ` · ${format.duration(row.left)}`}` : '';
  return (
    <li className="m-upload">
      <Icon name={row.state === 'success' ? 'done' : row.state === 'fail' ? 'danger' : 'file'} />
      <div className="m-grow m-stack-tight">
        <div className="m-row">
          <span className="m-clip m-grow" title={row.name}>
            {row.name}
          </span>
          <span className="m-small m-muted">{format.size(row.size)}</span>
        </div>
        {row.state === 'success' ? (
          <span className="m-small m-muted">{row.done ?? t('kit.upload.success')}</span>
        ) : row.state === 'fail' ? (
          <span className="m-small" role="alert">
            {row.message ?? t('kit.upload.fail')}
          </span>
        ) : (
          <Progress
            share={row.share}
            tone={tones[row.state]}
            label={row.name}
            note={row.state === 'uploading' ? `${format.percent(row.share)} ${pace}` : (row.message ?? t(`kit.upload.${row.state}`))}
          />
        )}
      </div>
      {row.state === 'fail' && !row.isUnfit ? (
        <IconButton small icon="retry" label={t('kit.retry')} onClick={() => onRetry(row.id)} />
      ) : null}
      {row.state === 'delete' ? null : (
        <IconButton
          small
          icon={row.state === 'success' ? 'delete' : 'close'}
          label={t(row.state === 'success' ? 'kit.upload.remove' : 'kit.upload.cancel')}
          onClick={() => onCancel(row.id)}
        />
      )}
    </li>
  );
}
