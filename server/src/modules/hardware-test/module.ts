import { z } from 'zod';
import { job, type Module } from '../../platform/module.ts';
import { manyTestsJob } from './ask-many.ts';
import { expireTests, handleResults, handleTestReplies } from './handle-results.ts';
import { tests } from './test.resource.ts';

export const hardwareTest: Module = {
  name: 'hardware-test',
  resources: [tests],
  messages: [handleResults, handleTestReplies],
  jobs: [
    manyTestsJob,
    job({
      name: 'hardware-test.expire',
      payload: z.object({}),
      every: '* * * * *',
      run: expireTests,
    }),
  ],
};
