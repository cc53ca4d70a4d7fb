import { dictCalls, dictSheetCalls } from '@mooring/contract/settings/dict-calls';
import { LargeImport } from '../../kit/sheet/large-import.tsx';

/** Of any picklists, whichever one it was opened beside: rows say which they are of. */
export const ImportEntries = ({ onClose }: { onClose: () => void }) => (
  <LargeImport
    title="dictSheet.title"
    about="dictSheet.about"
    take="dictSheet.take"
    calls={dictSheetCalls}
    fileName="picklist-entries.xlsx"
    job="work.import.dictEntry"
    changes="dictSheet.entry"
    touches={dictCalls.entries.group}
    onClose={onClose}
  />
);
