import { ROLE_TYPES } from '@shortlist/contracts/option-lists';
import type { ReactNode } from 'react';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { headingText } from '../../messages/headings.ts';
import { adminText } from '../../messages/admin.ts';
import { Alert } from '../../ui/alert.tsx';
import { Details, Panel } from '../../ui/panel.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = headingText('campaignDetails');

const CAMPAIGN: readonly (readonly [string, string])[] = [
  [adminText('campaign'), adminText('sampleCampaign')],
  [adminText('owner'), adminText('sampleName')],
  [adminText('roleType'), ROLE_TYPES[1]],
  [adminText('started'), '2025-01-20'],
  [adminText('ends'), '2025-02-20'],
];

const STEPS = [
  [adminText('invitations'), 180, 96],
  [adminText('firstMessage'), 96, 41],
  [adminText('followUp'), 55, 17],
] as const;

const CampaignDetailsPage = (): ReactNode => {
  usePageInfo({ pageName: 'campaign-details', pageTitle: TITLE, pageDescription: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <div className="stack measure">
        <Alert>{adminText('campaignSample')}</Alert>
        <Panel title={adminText('campaign')}>
          <Details rows={CAMPAIGN} />
        </Panel>
        <Panel title={adminText('steps')} isBare>
          <div className="table-scroll">
            <table className="data-table num">
              <thead>
                <tr>
                  <th scope="col">{adminText('step')}</th>
                  <th scope="col" className="align-end">
                    {adminText('sent')}
                  </th>
                  <th scope="col" className="align-end">
                    {adminText('replies')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {STEPS.map(([step, sent, replies]) => (
                  <tr key={step}>
                    <td className="data-table-name">{step}</td>
                    <td className="align-end">{sent}</td>
                    <td className="align-end">{replies}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      </div>
    </>
  );
};

export default CampaignDetailsPage;
