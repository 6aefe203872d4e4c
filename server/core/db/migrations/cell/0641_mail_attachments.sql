-- A file that a mail has, in base64: the PDF of a quote. It is deleted with the mail.
alter table mails add column attachment_name text, add column attachment text;
