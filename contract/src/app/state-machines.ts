import { machine } from '../kit/state-machine.ts';

/** The review of one version of an app (specification, section 5, "Application review"). */
export const appReviewMachine = machine('appReview', {
  initial: 'draft',
  states: {
    draft: { code: '0', tone: 'idle', about: 'Being prepared by its developer; nobody else sees it.' },
    awaiting: { code: '1', tone: 'wait', about: 'Submitted; a reviewer has to decide.' },
    approved: { code: '2', tone: 'good', about: 'Approved as it was submitted; it may be in the catalogue.' },
    rejected: { code: '3', tone: 'bad', about: 'Sent back with the reviewer’s words; its developer may edit and submit it again.' },
    delisted: { code: '4', tone: 'ended', about: 'Taken out of the catalogue; it comes back by another review, as it was or edited.' },
  },
  events: {
    submit: { from: ['draft'], to: 'awaiting' },
    approve: { from: ['awaiting'], to: 'approved' },
    reject: { from: ['awaiting'], to: 'rejected' },
    withdraw: { from: ['awaiting'], to: 'draft' },
    delist: { from: ['approved'], to: 'delisted' },
    edit: { from: ['rejected', 'delisted'], to: 'draft' },
    relist: { from: ['delisted'], to: 'awaiting' },
  },
});

/** Whether a version is in the catalogue: once the own store and every download domain that is asked have it. */
export const appPublishMachine = machine('appPublish', {
  initial: 'unpublished',
  states: {
    unpublished: { code: '0', tone: 'idle', about: 'Not in the catalogue.' },
    published: { code: '1', tone: 'good', about: 'In the catalogue of whoever it is for.' },
    publishing: { code: '2', tone: 'busy', about: 'For the first time: the store and the download domains are being asked for it.' },
    partly: { code: '3', tone: 'bad', about: 'In the catalogue; some download domains don’t have it, and send nothing of it.' },
  },
  events: {
    publish: { from: ['unpublished'], to: 'publishing' },
    // Published once more: asked for again, and as it is meanwhile.
    recheck: { from: ['published', 'partly'], to: ['published', 'partly'] },
    done: { from: ['publishing', 'published', 'partly'], to: 'published' },
    partly: { from: ['publishing', 'published', 'partly'], to: 'partly' },
    // Of the first publication alone: what is out isn't taken back for a store that is away.
    failed: { from: ['publishing'], to: 'unpublished' },
    unpublish: { from: ['publishing', 'published', 'partly'], to: 'unpublished' },
  },
});

/** An organisation that wants to bring apps. */
export const developerMachine = machine('developer', {
  initial: 'applied',
  states: {
    applied: { tone: 'wait', about: 'Applied; a reviewer has to decide.' },
    accepted: { tone: 'good', about: 'May upload apps and submit them.' },
    refused: { tone: 'bad', about: 'Declined with its reason; it may apply again.' },
    suspended: { tone: 'ended', about: 'May upload and submit nothing until it is resumed; its apps stay as they are.' },
  },
  events: {
    accept: { from: ['applied'], to: 'accepted' },
    refuse: { from: ['applied'], to: 'refused' },
    apply: { from: ['refused'], to: 'applied' },
    suspend: { from: ['accepted'], to: 'suspended' },
    resume: { from: ['suspended'], to: 'accepted' },
  },
});

/** What developers build with; codes are the publish states of the specification. */
export const sdkMachine = machine('sdk', {
  initial: 'unpublished',
  states: {
    unpublished: { code: '0', tone: 'idle', about: 'Seen by whoever manages the SDKs of its owner, and by no one else.' },
    published: { code: '1', tone: 'good', about: 'Seen and downloaded by the developers at and below its owner.' },
  },
  events: {
    publish: { from: ['unpublished'], to: 'published' },
    unpublish: { from: ['published'], to: 'unpublished' },
  },
});

/** That an organisation takes an app of another one. Whether it is over by its term, or shut out, is no state: both may end again. */
export const appSubscriptionMachine = machine('appSubscription', {
  initial: 'asked',
  states: {
    asked: { tone: 'wait', about: 'The owner of the app has to agree.' },
    active: { tone: 'good', about: 'Its versions may be released to the subscriber’s terminals.' },
    refused: { tone: 'bad', about: 'Declined by the owner, with a reason.' },
    ended: { tone: 'ended', about: 'The subscriber needs it no more.' },
  },
  events: {
    accept: { from: ['asked'], to: 'active' },
    refuse: { from: ['asked'], to: 'refused' },
    end: { from: ['asked', 'active'], to: 'ended' },
  },
});
