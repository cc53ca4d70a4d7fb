import { Button } from '../../ui/button.tsx';
import { useFormat } from '../../ui/words.ts';
import { fetchFile } from '../fetch-file.ts';
import type { AttachedFile } from './uploaded-here.ts';

interface Props {
  readonly files: readonly AttachedFile[];
  /** Where the reader isn't signed in. */
  readonly open?: (file: AttachedFile) => void;
}

/** Files that hang on a line of a history, each a download. */
export function AttachedFiles({ files, open = ({ id, name }) => fetchFile(id, name) }: Props) {
  const format = useFormat();
  return files.map((file) => (
    <div key={file.id} className="m-row">
      <Button small icon="download" onClick={() => open(file)}>
        {file.name}
      </Button>
      <span className="m-small">{format.size(file.size)}</span>
    </div>
  ));
}
