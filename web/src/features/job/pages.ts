import { route } from '../../kit/route.ts';

export const jobRoutes = [
  route({
    path: '/sched/job/page',
    platform: 'manager',
    title: 'job.title',
    keepAlive: true,
    load: () => import('./jobs.page.tsx').then((found) => found.jobsPage),
  }),
];
