"""The screens: title, campaign, workbench, result, settings."""
