import { SDK_FILE, Sdk, sdkCalls } from '@mooring/contract/app/sdk';
import { sdkMachine } from '@mooring/contract/app/state-machines';
import { useProducts } from '../../kit/choices.ts';
import { fetchFile } from '../../kit/fetch-file.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { FileField } from '../../kit/upload/file-field.tsx';

type Row = RowOf<typeof sdkCalls.page>;
const nameOf = ({ name, version }: Row) => `${name} ${version}`;
const File = (part: ControlPart<number | undefined>) => <FileField fileType={SDK_FILE} {...part} />;

const { Add, Edit, edit } = formDialogs(Sdk, sdkCalls, {
  fields: [
    'name',
    'version',
    { name: 'productId', kind: 'one', useChoices: useProducts },
    'lowestFirmware',
    { name: 'fileId', Control: File, wide: true },
    { name: 'note', kind: 'area', wide: true },
  ],
  wide: true,
});

export const sdkList = listOf(Sdk, sdkCalls, {
  code: 'app.sdk',
  columns: [
    { key: 'name', width: 200 },
    'version',
    { key: 'productName', width: 160 },
    { key: 'lowestFirmware', width: 190 },
    'publishState',
    { key: 'size', kind: 'size' },
    { key: 'note', width: 260 },
    off('deptName'),
    off('sha256'),
    off('createdBy'),
    'createdAt',
  ],
  filters: [
    { field: 'productId', label: 'sdk.productId', useChoices: useProducts },
    { field: 'publishState', label: 'sdk.publishState', machine: sdkMachine },
  ],
  nameOf,
  Add,
  edit,
  moves: {
    publish: { successText: 'sdk.published' },
    unpublish: { successText: 'sdk.unpublished', confirm: { text: 'sdk.unpublish.about' } },
  },
  rowActions: [{ key: 'download', label: 'sdk.download', icon: 'download', run: (row) => fetchFile(row.fileId, row.fileName) }],
  deleting: { text: 'sdk.delete.about' },
  empty: { title: 'sdk.empty', text: 'sdk.emptyText', icon: 'developer' },
  slots: { above: Edit },
});

/** What developers build with; whoever looks after it adds it here. */
export const Sdks = () => <ListView spec={sdkList} queryPrefix="sdk." />;
