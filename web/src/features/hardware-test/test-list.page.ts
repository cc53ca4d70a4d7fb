import { listPage } from '../../kit/list/list-page.tsx';
import { testList } from './test-list.tsx';

export const hardwareTestList = listPage(testList);
