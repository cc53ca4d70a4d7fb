import { advertCalls } from '@mooring/contract/desktop/advert';
import { customizationCalls } from '@mooring/contract/desktop/customization';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { advertTaskCalls, customizationTaskCalls, desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import { upload } from '../upload.ts';
import type { Round, Sent } from './sent.ts';

/** One point. */
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

interface Calls {
  readonly contents: typeof advertCalls | typeof customizationCalls | typeof desktopCalls;
  readonly tasks: typeof advertTaskCalls | typeof customizationTaskCalls | typeof desktopTaskCalls;
}
/** Made, published, released: a terminal says which archive it shows by the first digits of its SHA-256. */
async function sendContent(of: Round, section: string, { contents, tasks }: Calls, content: object): Promise<Sent> {
  const { console } = of.world;
  const { id } = await console.insist(contents.add, { name: `Round ${of.round}`, ...content });
  const { version } = await console.insist(contents.publish, { id });
  const { id: taskId } = await console.insist(tasks.add, { ...of.input, content: { contentId: id } });
  return { kind: section, taskId, holds: ({ contents: shown }) => shown[section]?.startsWith(version) === true };
}

async function advert(of: Round): Promise<Sent> {
  const file = await upload(of.world, 'point.png', picture, { fileType: '1' });
  const items = [{ fileId: file?.id ?? 0, seconds: 2 + (of.round % 500) }];
  return sendContent(of, 'storeAdvertSpace.idle', { contents: advertCalls, tasks: advertTaskCalls }, { place: 'idle', items });
}
const customization = (of: Round) =>
  sendContent(
    of,
    'systemCustomization',
    { contents: customizationCalls, tasks: customizationTaskCalls },
    { screenSeconds: 15 + (of.round % 3000) },
  );
const desktop = (of: Round) => {
  const tiles = [{ id: 'a', kind: 'text', x: 0, y: 0, w: 2, h: 1, text: `Round ${of.round}` }];
  const layout = { columns: 4, rows: 5, width: 720, height: 1280, pages: [{ tiles }] };
  return sendContent(of, 'customizeDesktop', { contents: desktopCalls, tasks: desktopTaskCalls }, { layout });
};

export const contentReleases = [advert, customization, desktop];
