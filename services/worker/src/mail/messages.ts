import { messages } from '@shortlist/contracts/messages';

/** Every text of the emails. A value `amount` is 'none' if the sum is unknown. */
export const mailText = messages({
  greeting: 'Hello {name},',
  noName: 'there',
  openAccount: 'Open your account',
  seeCredits: 'See your credits',
  seeUsage: 'See your usage',
  seeAmountDue: 'See what is due',
  confirmPayment: 'Confirm your payment',
  subscribeAgain: 'Subscribe again',
  seeAlerts: 'See all alerts',

  seeSecurity: 'See your security settings',
  twoStepOn: 'Two-step verification was turned on',
  twoStepOnText:
    'From now on, signing in to {brand} takes a code of your authenticator app after your password. Keep your recovery codes in a safe place.',
  twoStepOff: 'Two-step verification was turned off',
  twoStepOffText:
    'Your password alone now opens your {brand} account, and your recovery codes no longer work.',
  passkeyAdded: 'A new passkey was added',
  passkeyAddedText: 'A new passkey can now sign in to your {brand} account.',
  passkeyRemoved: 'A passkey was removed',
  passkeyRemovedText: 'A passkey can no longer sign in to your {brand} account.',
  recoveryCodesRenewed: 'You have new recovery codes',
  recoveryCodesRenewedText:
    'New recovery codes were made for your {brand} account. The ones you had before no longer work.',
  recoveryCodeUsed: 'A recovery code was used',
  recoveryCodeUsedText:
    'A recovery code of your {brand} account was used on {date}. {left, plural, =0 {It was the last one.} one {You have one code left.} other {You have # codes left.}}',
  recoveryCodeUsedNext: 'If this was you, you can make new codes whenever you like.',
  doneBySupportAlone: 'Our support team did this.',
  doneBySupport: 'Our support team did this. The reason: {reason}',

  newKey: 'You have a new API key',
  newKeyText: 'A new API key was created for your {brand} account. An app that has this key can act for you.',
  keyName: 'Name',
  keyItself: 'Key',
  keyMay: 'It can',
  keyMade: 'Created on',
  mayReadCredits: 'see your credits',
  mayChargeCredits: 'use your credits',
  mayReadProfile: 'see your profile',
  newKeyDelete: 'You can delete the key on the Connections page whenever you like. It then stops working.',
  newKeyNotYou: 'If you did not create this key, delete it now, change your password, and contact support.',
  newWebhook: 'A webhook was added to your account',
  newWebhookText:
    'A webhook was added to your {brand} account. From now on, we send events of your account to this address.',
  webhookHost: 'Address',
  webhookEvents: 'Events',
  newWebhookNotYou:
    'If you did not add this webhook, delete it now, change your password, and contact support.',
  webhookFailing: 'We cannot reach one of your webhooks',
  webhookFailingText: 'Since {since}, no message has arrived at {host}.',
  webhookFailingStops:
    'Unless one arrives before {stopsAt}, we stop sending to it. Once it works again, send it a test event from the Connections page.',
  webhookStopped: 'One of your webhooks is off',
  webhookStoppedFailing: 'No message arrived at {host} for days, so we send nothing to it anymore.',
  webhookStoppedGone: '{host} responded that it is gone (410), so we send nothing to it anymore.',
  webhookTurnOn:
    'You can turn it on again on the Connections page. What happened meanwhile is in its log, from where you can send it again.',
  newTool: 'You connected a new app',
  newToolText: 'An app was connected to your {brand} account, and can act for you.',
  toolName: 'App',
  toolDevice: 'Device',
  toolConnected: 'Connected on',
  newToolEnd: 'You can disconnect it on the Connections page whenever you like. It then stops working.',
  newToolNotYou:
    'If you did not connect this app, disconnect it now, change your password, and contact support.',
  toolEnded: 'We disconnected an app to protect you',
  toolEndedText:
    'On {date} an app was disconnected from your {brand} account. It cannot act for you anymore.',
  toolEndedWhy:
    'A sign-in token of the app was used twice, and each works only once. It may be a fault of the app, but someone may have copied the token.',
  toolEndedNext:
    'Connect the app again only if you trust the device. Look at the Connections page, and disconnect every app there that you do not know.',
  seeConnections: 'See your connections',

  welcome: 'Welcome to {brand}',
  welcomeCredits:
    'Your account is ready. You have {credits} free credits to start with. They last {days} days from the first one you use.',

  resetPassword: 'Set a new password',
  resetRequested: 'We received a request to set a new password for your account.',
  resetLink: 'The link works once, for {minutes} minutes.',
  resetIgnore: 'If you did not request this, you can ignore this email. Your password stays the same.',

  invitation: 'You are invited to the {brand} panel',
  invitationText:
    'You can become an admin of {brand}, with {role, select, owner {the role Owner} support {the role Support} finance {the role Finance} other {the role Read-only}}. Accept the invitation to choose your password.',
  invitationLink: 'The link works once, for {days} days, and only for this address.',
  invitationIgnore: 'If you did not expect this, you can ignore this email.',
  acceptInvitation: 'Accept the invitation',

  ownerAdded: 'The {brand} panel has a new owner',
  ownerAddedText:
    '{by, select, operator {The operator of the servers has created an account with} other {An owner has given an account}} the role Owner, which may do everything in the panel of {brand}.',
  invitationSent: 'An invitation to the {brand} panel was sent',
  invitationSentText:
    'An owner has invited an admin to {brand}, with {role, select, owner {the role Owner} support {the role Support} finance {the role Finance} other {the role Read-only}}, or has sent the invitation again.',
  teamNotExpected:
    'If you did not expect this, look at the team and at the audit log now. Withdraw the invitation or suspend the account if it should not be there.',
  seeTeam: 'See the team',

  passwordChanged: 'Your password was changed',
  passwordChangedAt: 'The password of your account was changed on {date}.',
  passwordSetByAdmin: 'An administrator set a new password for your account on {date}.',
  signedOutEverywhere: 'All other devices were signed out.',
  passwordNotYou: 'If you did not expect this, set a new password now and contact support.',
  setPassword: 'Set a new password',

  confirmEmail: 'Confirm your email',
  confirmEmailText: 'Please confirm that this address is yours.',
  confirmEmailCode:
    'The link works for {hours} hours. You can also enter this code within {minutes} minutes:',
  confirmEmailIgnore: 'If you did not sign up, you can ignore this email.',

  confirmRegistration: 'Finish your sign-up for {brand}',
  confirmRegistrationText:
    'Please confirm that this address is yours. The link works for {hours} hours and creates your {brand} account, with the password you chose.',
  confirmRegistrationReplaces:
    'There was a sign-up with this address before, which was never confirmed. It is deleted when you confirm this one.',
  confirmReminder: 'Confirm your email to keep your account',
  confirmReminderText:
    'This address is not confirmed yet. Confirm it by {date}, or your {brand} account and everything in it will be deleted.',

  deletionRequested: 'Your {brand} account will be deleted',
  deletionApproaching: 'Your {brand} account is about to be deleted',
  deletedOn: 'As you requested, your {brand} account will be deleted on {date}.',
  keepUntilThen:
    'Until then, everything is still there. Did you change your mind? Sign in and keep your account. You have at least {days} days.',
  lastDays:
    'This is the last reminder. To keep your account, sign in before then. Afterwards, nothing can be brought back.',
  deletionNotYou:
    'You were signed out everywhere. If you did not request this, sign in, keep your account and change your password.',
  keepAccount: 'Keep my account',
  deletionCancelled: 'Your {brand} account stays',
  keptAccount: 'You kept your account, and it will not be deleted. Your subscription is as you left it.',
  accountDeleted: 'Your {brand} account is deleted',
  deletedForGood: 'Your {brand} account and everything in it is now deleted for good.',
  invoicesStay: 'Invoices stay with us and with our payment provider for as long as the law requires.',
  lastMail: 'This is the last email we will send you. Thank you for your time with us.',
  visit: 'Visit {brand}',
  dataReady: 'Your data is ready to download',
  dataReadyUntil:
    'The file with your data is ready. You can download it for {days} days, until {date}. Then we delete the file.',
  dataNotYou: 'If you did not request this, change your password now.',
  downloadData: 'Download your data',
  confirmNewEmail: 'Confirm your new email',
  confirmNewEmailText:
    'Confirm that this address is yours. It then becomes the email of your {brand} account.',
  confirmNewEmailIgnore: 'If you did not request this, you can ignore this email. Nothing changes.',
  emailTaken: 'Your email already has an account',
  emailTakenText:
    'A change of email to this address was requested for another {brand} account. Nothing was changed, because this address has an account already.',
  emailTakenNext: 'If this was you, sign in with this address. If it was not you, there is nothing to do.',
  test: 'Our emails reach you again',
  testText: 'This is a test. Earlier emails from {brand} did not arrive at this address, and this one did.',
  testNext: 'There is nothing else to do. From now on, we send you emails as before.',
  logIn: 'Log In',
  emailChangeStarted: 'A change of your email was requested',
  emailChangeStartedText:
    'On {date}, a change of the email of your {brand} account was requested. Nothing changes until the new address is confirmed.',
  emailChangeStartedYours: 'If this was you, there is nothing to do.',
  emailChangeStartedStop:
    'If this was not you, stop the change now with a new password. That signs out every device.',
  undoRemoves:
    'It also removes passkeys and two-step verification that were added since the request, and ends all API keys, connected apps and webhooks.',
  stopChange: 'Stop the change',
  emailChanged: 'Your email was changed',
  emailChangedText:
    'The email of your {brand} account was changed on {date}. From now on, you sign in with the new one.',
  emailChangedUndo:
    'If this was not you, undo the change within {days} days, with a new password. That signs out every device.',
  undoChange: 'Undo the change',

  receipt: 'Your {brand} receipt',
  invoiceNumber: 'Invoice',
  invoicePeriod: 'Period',
  fromTo: '{from} to {until}',
  paidOn: 'Paid on',
  amount: 'Amount',
  taxIncluded: 'Tax included',
  downloadInvoice: 'Download the invoice (PDF)',
  invoiceElsewhere: 'Your invoice is in the billing portal.',
  seeInvoices: 'See your invoices',
  received: 'We received {amount} on {date}.',
  nothingToPay: 'There was nothing to pay this time: your discount or your balance covered the full price.',
  paidUntil: 'Your plan is paid until {date}.',

  deviceNamed: '{browser} on {system}',
  deviceUnknown: 'An unknown device',
  newSignIn: 'New sign-in to your {brand} account',
  newSignInWhere:
    'Your account was used on a new device: {device}{place, select, none {} other {, near {place}}}, on {date}.',
  newSignInYours: 'If this was you, there is nothing to do.',
  newSignInNotYours:
    'If it was not you, choose a new password now. That signs out every device, the new one included.',
  factorsRefused: 'Someone may know your {brand} password',
  factorsRefusedWhy:
    'There were ten or more sign-ins with your password and a wrong second step, the last one{place, select, none {} other { near {place}}} on {date}. None of them got in.',
  factorsRefusedMeans:
    'If this was not you, another person knows your password, and two-step verification is all that keeps them out.',
  factorsRefusedNext:
    'Choose a new password now. If this was you and your authenticator app is lost, sign in with one of your recovery codes.',
  signInsSlowed: 'Someone is trying to sign in to your {brand} account',
  signInsSlowedWhy:
    'There were many sign-ins with a wrong password, the last one{place, select, none {} other { near {place}}} on {date}. None of them got in.',
  signInsSlowedMeans:
    'New devices now have to wait before they can try again. Devices on which you have signed in before work as usual.',
  signInsSlowedNext:
    'If this was you and you forgot your password, choose a new one. If it was not you, a long password that you use nowhere else keeps your account safe.',

  paymentFailed: 'Your payment did not go through',
  couldNotCollect:
    'We could not collect your monthly payment. Please pay the open invoice or update your card.',
  payBefore: 'Your plan stays active until {date}. Pay the invoice by then to keep it.',
  payToReturn: 'Your plan is no longer active. You get it back as soon as the invoice is paid.',

  confirmNeeded: 'Please confirm your payment',
  bankNeedsConfirmation: 'Your bank needs you to confirm your monthly payment before it goes through.',
  confirmBefore: 'Your plan stays active until {date}. Confirm the payment by then to keep it.',
  confirmToReturn: 'Your plan is no longer active. You get it back as soon as you confirm the payment.',

  packBought: 'Your pack of {credits, number} credits',
  packAdded:
    'You paid for a pack of {credits, number} credits on {date}, and they were added to your account.',
  packOnce:
    'They are used after the credits of your plan, and do not expire. You paid once: the pack does not renew.',

  planGranted: 'You now have {brand} Premium',
  grantedUntil: 'Your account has Premium until {date}. There is nothing to pay.',

  renewalStopped: 'Your {brand} plan will not renew',
  renewalStoppedText:
    'Your plan was canceled. You keep Premium until {date}. After that, your account is Free, and you are not charged again.',
  renewalStoppedBack: 'Did you change your mind? You can resume the plan until then.',
  renewalLimited: 'Your {brand} plan has an end',
  renewalLimitedText:
    'Your plan renews until {date} and ends then. Until then you are charged for each period as before.',
  renewalResumed: 'Your {brand} plan renews again',
  renewalResumedText: 'Your plan goes on. The next payment is due on {date}.',
  manageSubscription: 'Manage your subscription',
  cardExpires: 'Your card is about to expire',
  cardExpiresText:
    'Your {brand, select, visa {Visa card} mastercard {Mastercard card} amex {American Express card} other {payment card}} ending in {last4} expires at the end of {month}.',
  cardExpiresNext:
    'Add a new card before then, so that your next payment goes through and you keep Premium. If you did this already, there is nothing to do.',
  updateCard: 'Update your card',

  planEnded: 'Your {brand} plan has ended',
  ended: 'Your Premium plan has ended and your account is now Free. You will not be charged again.',
  endedUnpaid:
    'We could not collect your monthly payment, so your Premium plan has ended and your account is now Free. Pay the open invoice to get your plan back.',
  endedDisputed:
    'Your bank returned your payment to you, so your Premium plan has ended and your account is now Free. You will not be charged again.',

  creditsUsed: 'You have used all your credits',
  nextCredits: 'You have used all {limit} credits for this period. You get new credits on {date}.',
  creditsLow: 'You are running low on credits',
  creditsLeft: 'You have {left} of your {limit} credits left until {date}.',
  creditsLeftInAll: 'You have {left} credits left. Those of your plan last until {date}.',
  lowFree:
    'You get {limit} new credits then. If you need more before that, Premium comes with {premium} credits a month.',
  lowPremium:
    'You get {limit} new credits with your next month of Premium. Until then, contacts that you used a credit for in the last {days} days cost nothing.',
  seePremium: 'See what Premium includes',
  creditsGranted: 'You have {credits, plural, one {# more credit} other {# more credits}}',
  creditsGrantedText:
    'We have added {credits, plural, one {# credit} other {# credits}} to your account. You can use them until {date}.',
  creditEmailsOff: 'You can turn off emails about your credits under Credits & Usage in your account.',

  reference: 'Stripe reference: {reference}',
  dispute_opened: 'A payment is disputed',
  dispute_opened_what:
    'A customer disputes a payment{amount, select, none {} other { of {amount}}} at their bank. A plan that it paid for stays until the bank decides; of a pack of credits, what is left is taken back meanwhile.',
  dispute_opened_next: 'Open the dispute in Stripe to accept it, or to send evidence before it is due.',
  dispute_lost: 'A dispute was lost',
  dispute_lost_what:
    "The bank decided a dispute{amount, select, none {} other { of {amount}}} in the customer's favor. They got the money back, and the plan or the credits that it paid for have ended.",
  dispute_lost_next: 'There is nothing left to do. Stripe shows the reason the bank gave.',
  early_fraud_warning: 'A payment may be fraudulent',
  early_fraud_warning_what:
    'A card issuer reports that a payment{amount, select, none {} other { of {amount}}} is probably fraudulent.',
  early_fraud_warning_next:
    'Refunding it in full now usually avoids a dispute and its fee. Review the payment in Stripe to decide.',
  payment_of_deleted_user: 'A deleted user paid',
  payment_of_deleted_user_what:
    'A payment{amount, select, none {} other { of {amount}}} arrived for a user whose account was deleted.',
  payment_of_deleted_user_next: 'The next line says whether the money went back.',
  late_payment: 'A payment came too late',
  late_payment_what:
    'A payment{amount, select, none {} other { of {amount}}} arrived for a period that was over, and would have bought nothing.',
  late_payment_next: 'The next line says whether the money went back.',
  subscription_without_user: 'A subscription belongs to no user',
  subscription_without_user_what:
    'Stripe charges for a subscription{amount, select, none {} other { of {amount}}} whose user is not known here, or has another customer.',
  subscription_without_user_next:
    'Open the subscription in Stripe. If its customer pays twice, cancel it there and refund the payment.',
  other_subscription: 'A user has another subscription',
  other_subscription_what:
    'Stripe charges a user for a subscription{amount, select, none {} other { of {amount}}} beside that of the plan, or instead of it. No further one is sold to them meanwhile.',
  other_subscription_next:
    'Open the subscription in Stripe. Cancel it there if it is a mistake, or move it back to a price of the plan.',
  pack_without_user: 'A pack of credits belongs to no user',
  pack_without_user_what:
    'A payment{amount, select, none {} other { of {amount}}} for a pack of credits is of a customer at Stripe who is not known here, or whose user has another customer.',
  pack_without_user_next: 'Open the payment in Stripe. Refund it if its customer has no account here.',
  refund_failed: 'A refund failed',
  refund_failed_what:
    'The bank returned a refund{amount, select, none {} other { of {amount}}}, so the customer does not have the money. The payment counts again.',
  refund_failed_next:
    'Review the refund in Stripe, and pay the customer back another way if you owe them the money.',
  invoice_finalization_failed: 'An invoice could not be finalized',
  invoice_finalization_failed_what:
    'Stripe could not finalize an invoice{amount, select, none {} other { of {amount}}}, so nothing is collected for it.',
  invoice_finalization_failed_next:
    "Open the invoice in Stripe. Often the customer's address or the tax settings are incomplete.",
});
